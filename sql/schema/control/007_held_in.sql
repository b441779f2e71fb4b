-- Documents that are loaded together are one edition, under whose SHA-256 a data version knows them.
ALTER TABLE source_fetches ADD COLUMN IF NOT EXISTS held_in String AFTER sha256;
