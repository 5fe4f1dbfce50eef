"""`python -m nonresponse`: the command nonresponse."""

from importlib import import_module

if __name__ == "__main__":
    import_module("nonresponse.front.command").main()
