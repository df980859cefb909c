"""The services of docker-compose.yml as processes of this machine: same commands, same variables, same order.

What Docker adds is replaced by its like: a service's name by an address of this machine, an image by a folder with what
its Dockerfile copies and an environment with what it installs, a volume by a folder, the image of a server by Debian's.
"""

import getpass
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from config.servers import free_port
from tests.deployment import environments
from tests.deployment.composing import ROOT, Image, images, services

PATIENCE = 240.0
POSTGRES = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
REDIS = shutil.which("redis-server")
Service = dict[str, Any]


class Stack:
    def __init__(self, folder: Path, variables: Mapping[str, str]) -> None:
        self.folder, self.services = folder, services(variables)
        self.images = images()
        # What the containers read from .env, besides what compose fills in.
        self.env_file = dict(variables)
        self.ports = {"postgres": free_port(), "redis": free_port(), "web": free_port()}
        self.apps: dict[str, Path] = {}
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self._ending = ExitStack()

    def __enter__(self) -> "Stack":
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.close()

    def start(self, name: str) -> None:
        """After what it depends on, and until it is as others want it to be."""
        if name in self.processes:
            return
        for other, wanted in self.services[name].get("depends_on", {}).items():
            self.start(other)
            self._wait(other, wanted["condition"])
        service = self.services[name]
        if name == "postgres":
            self._make_database(service)
        command = self.command(name)
        with (self.folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                command, cwd=self._cwd(name), env=self.environment(name), stdout=log, stderr=log, user=_user(name)
            )
        self.processes[name] = process
        self._ending.callback(_end, process, signal.SIGINT if name == "postgres" else signal.SIGTERM)

    def command(self, name: str) -> list[str]:
        asked = [str(part) for part in self.services[name].get("command", [])]
        if name == "postgres":
            data = str(self._volume("postgres"))
            return [str(POSTGRES[-1]), "-D", data, "-k", data, "-h", "127.0.0.1", "-p", str(self.ports[name])]
        if name == "redis":
            where = ["--port", str(self.ports[name]), "--bind", "127.0.0.1", "--dir", str(self._volume("redis"))]
            return [str(REDIS), *asked[1:], *where]
        return [str(self.app(name).parent / "venv" / "bin" / asked[0]), *asked[1:]]

    def environment(self, name: str) -> dict[str, str]:
        """Nothing of this process's own but where programs are found."""
        service = self.services[name]
        given = {key: self._located(str(value), name) for key, value in service.get("environment", {}).items()}
        if "build" not in service:
            return {"PATH": os.environ["PATH"], "PGPORT": str(self.ports["postgres"]), "PGHOST": "127.0.0.1", **given}
        app, home = self.app(name), self.folder / "home" / name
        (home / "tmp").mkdir(parents=True, exist_ok=True)
        path = f"{app.parent / 'venv' / 'bin'}:/usr/bin:/bin"
        listening = {"PORT": str(self.ports["web"])} if name == "web" else {}
        own = {"PATH": path, "HOME": str(home), "TMPDIR": str(home / "tmp"), **self._image(service).environment}
        return {**self.env_file, **own, **given, **listening}

    def run(self, name: str, *command: str, **variables: str) -> str:
        """As `docker compose exec`; what it says."""
        first = str(self.app(name).parent / "venv" / "bin" / command[0])
        done = subprocess.run(
            [first, *command[1:]], cwd=self.app(name), env={**self.environment(name), **variables},
            capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout

    def app(self, name: str) -> Path:
        """What the service's image has in /app, made once an image."""
        service = self.services[name]
        target = service["build"]["target"]
        if target not in self.apps:
            self.apps[target] = self._make_app(self.folder / "images" / target / "app", target)
        return self.apps[target]

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()

    def healthy(self, name: str) -> bool:
        """As the service's health check says."""
        test = [str(part) for part in self.services[name]["healthcheck"]["test"]]
        assert test[0] == "CMD"
        program = test[1:]
        if "build" in self.services[name]:
            program = [str(self.app(name).parent / "venv" / "bin" / program[0]), *program[1:]]
        elif name == "redis":
            program = [program[0], "-p", str(self.ports["redis"]), *program[1:]]
        done = subprocess.run(program, cwd=self._cwd(name), env=self.environment(name), capture_output=True)
        return done.returncode == 0

    def wait_healthy(self, name: str) -> None:
        self._wait(name, "service_healthy")

    def _wait(self, name: str, condition: str) -> None:
        process, deadline = self.processes[name], time.monotonic() + PATIENCE
        if condition == "service_completed_successfully":
            assert process.wait(PATIENCE) == 0, self.log(name)
            return
        assert condition == "service_healthy"
        while not self.healthy(name):
            assert process.poll() is None, f"{name} ended:\n{self.log(name)}"
            assert time.monotonic() < deadline, f"{name} is not healthy:\n{self.log(name)}"
            time.sleep(0.5)

    def _image(self, service: Service) -> Image:
        return self.images[service["build"]["target"]]

    def _cwd(self, name: str) -> Path:
        return self.app(name) if "build" in self.services[name] else self._volume(name)

    def _volume(self, name: str) -> Path:
        folder = self.folder / "volumes" / name
        if not folder.exists():
            folder.mkdir(parents=True)
            if name == "postgres":
                _give(folder)
        return folder

    def _make_app(self, app: Path, target: str) -> Path:
        app.mkdir(parents=True)
        image = self.images[target]
        for name in image.copied:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, app / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy2(source, app / name)
        environments.build(app.parent / "venv", app, image.extras)
        for volume, where in self._mounts(target):
            (app / where).parent.mkdir(parents=True, exist_ok=True)
            (app / where).symlink_to(self._volume(volume))
        for run in image.runs:
            if "manage.py" in run:
                path = f"{app.parent / 'venv' / 'bin'}:/usr/bin:/bin"
                subprocess.run(["sh", "-ec", run.replace("/app", str(app))], cwd=app, env={"PATH": path}, check=True)
        # What is younger than this, a running container wrote.
        (app.parent / "made").touch()
        return app

    def _mounts(self, target: str) -> set[tuple[str, str]]:
        """The volumes within /app of all services of the image, and where in it they are."""
        ours = [one for one in self.services.values() if one.get("build", {}).get("target") == target]
        parted = [mount.partition(":") for one in ours for mount in one.get("volumes", [])]
        return {(volume, where.removeprefix("/app/")) for volume, _, where in parted if where.startswith("/app/")}

    def _make_database(self, service: Service) -> None:
        """As the image's first start does it."""
        told, data = service["environment"], self._volume("postgres")
        password = self.folder / "password"
        password.write_text(told["POSTGRES_PASSWORD"])
        _give(password)
        initdb = [str(POSTGRES[-1].with_name("initdb")), "-D", str(data), "-U", told["POSTGRES_USER"]]
        more = ["--auth=scram-sha-256", f"--pwfile={password}", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8"]
        subprocess.run([*initdb, *more], check=True, capture_output=True, user=_user("postgres"), cwd=data)
        single = [str(POSTGRES[-1]), "--single", "-D", str(data), "postgres"]
        create = f"CREATE DATABASE {told['POSTGRES_DB']};\n".encode()
        subprocess.run(single, input=create, check=True, capture_output=True, user=_user("postgres"), cwd=data)

    def _located(self, value: str, name: str) -> str:
        """Addresses and folders of containers as they are here."""
        for server, port in (("postgres", 5432), ("redis", 6379)):
            value = value.replace(f"@{server}:{port}/", f"@127.0.0.1:{self.ports[server]}/")
        return f"{self.app(name)}/{value.removeprefix('/app/')}" if value.startswith("/app/") else value


def _user(name: str) -> str | None:
    """Postgres does not run as root."""
    return "postgres" if name == "postgres" and getpass.getuser() == "root" else None


def _give(path: Path) -> None:
    """To Postgres alone."""
    path.chmod(0o700)
    if user := _user("postgres"):
        shutil.chown(path, user)


def _end(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """With the signal that its image names: Postgres waits for its clients on any but this."""
    process.send_signal(number)
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
