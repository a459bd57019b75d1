"""`python -m rcca_cli` is `rcca`."""

from rcca_cli.cli import main

if __name__ == "__main__":
    main()
