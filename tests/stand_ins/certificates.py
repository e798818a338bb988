"""Authorities and certificates for hubs and brokers of tests, made by openssl."""

import subprocess
from pathlib import Path


def openssl(*arguments: str, cwd: Path) -> None:
    subprocess.run(["openssl", *arguments], check=True, capture_output=True, cwd=cwd)


def make_ca(folder: Path, name: str = "ca") -> None:
    """Make an authority: `ca.pem` and its key."""
    openssl(
        *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"),
        *("-keyout", f"{name}.key", "-out", f"{name}.pem", "-days", "3650"),
        *("-subj", f"/CN=club {name}", "-addext", "keyUsage=critical,keyCertSign,cRLSign"),
        cwd=folder,
    )


def make_certificate(
    folder: Path,
    name: str = "broker",
    *,
    host: str = "IP:127.0.0.1",
    ca: str = "ca",
    dates: tuple[str, str] | None = None,
) -> None:
    """Make a certificate for a host; `dates` as in `20200101000000Z`."""
    openssl(
        *("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"),
        *("-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}"),
        cwd=folder,
    )
    extensions = folder / f"{name}.ext"
    extensions.write_text(f"subjectAltName={host}\nbasicConstraints=CA:FALSE\n")
    if dates is None:
        openssl(
            *("x509", "-req", "-in", f"{name}.csr", "-CA", f"{ca}.pem", "-CAkey", f"{ca}.key"),
            *("-CAcreateserial", "-out", f"{name}.pem", "-days", "365"),
            *("-extfile", extensions.name),
            cwd=folder,
        )
        return
    (folder / "index.txt").write_text("")
    (folder / "serial").write_text("01\n")
    (folder / "ca.cnf").write_text(
        "[ca]\ndefault_ca=own\n[own]\ndatabase=index.txt\nserial=serial\nnew_certs_dir=.\n"
        "default_md=sha256\npolicy=any\n[any]\ncommonName=supplied\n"
    )
    openssl(
        *("ca", "-batch", "-config", "ca.cnf", "-in", f"{name}.csr", "-out", f"{name}.pem"),
        *("-cert", f"{ca}.pem", "-keyfile", f"{ca}.key", "-notext", "-extfile", extensions.name),
        *("-startdate", dates[0], "-enddate", dates[1]),
        cwd=folder,
    )
