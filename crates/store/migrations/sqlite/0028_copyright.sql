-- What files say of a book's copyright: the owner's statement, or the document's own.
ALTER TABLE materials ADD COLUMN copyright TEXT;
