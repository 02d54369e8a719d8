mod scores;
