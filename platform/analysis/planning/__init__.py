"""How many texts, judgments and workers a comparison needs: by simulation, before anybody is paid."""
