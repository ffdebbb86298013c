"""`python -m bidlab` is the program `bidlab`."""

from bidlab.cli.main import main

if __name__ == "__main__":
    main()
