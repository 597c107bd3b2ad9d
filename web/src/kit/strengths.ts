/** A strength as it is shown: "Hard". */
export const strengthName = (bot: string): string => bot.slice(0, 1).toUpperCase() + bot.slice(1);
