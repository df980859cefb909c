from pathlib import Path


class FileError(Exception):
    """Why a file as a whole cannot be read, in one line: where, what was expected, what to do."""

    def __init__(self, path: Path, problem: str, line: int = 0) -> None:
        self.path, self.problem, self.line = path, problem, line
        super().__init__(path, problem, line)

    def __str__(self) -> str:
        where = f", line {self.line}" if self.line else ""
        problem = self.problem.rstrip(". \n")
        return f"{self.path.name}{where}: {problem}{'' if problem.endswith('?') else '.'}"
