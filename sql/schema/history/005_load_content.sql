-- What the files of a load hold, however they were packed: the same quarter zipped again, or unpacked into a
-- folder, has the same content and changes nothing.
ALTER TABLE load_files ADD COLUMN content_sha256 String AFTER sha256;
