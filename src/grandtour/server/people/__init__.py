"""People beyond one table: passports, histories, ratings, notices and the deal of the day."""
