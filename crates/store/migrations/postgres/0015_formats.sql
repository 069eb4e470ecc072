-- E-readers that had every format have every format again: raw samples and the two of telephony came later.
UPDATE ereaders SET formats = '["mp3","wav","flac","opus","pcm","ulaw","alaw"]'
    WHERE formats = '["mp3","wav","flac","opus"]';
