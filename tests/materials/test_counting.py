from materials.counting import counted


def test_it_works() -> None:
    assert [counted(count, "text") for count in (0, 1, 1234)] == ["0 texts", "1 text", "1,234 texts"]
