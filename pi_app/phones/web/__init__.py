"""The process `beisitzer web`: pages for phones, relayed from and to the companion's socket."""
