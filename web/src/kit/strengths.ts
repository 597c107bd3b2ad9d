/** The bot that somebody plays like, in words: the server says "easy", or "easy +" for a little stronger. */
export function likeBot(like: string): string {
  const [bot, more] = like.split(' ') as [string, string?];
  const article = /^[aeiou]/.test(bot) ? 'an' : 'a';
  return `${more === '+' ? 'a little better than ' : more ? 'weaker than ' : 'like '}${article} ${bot} bot`;
}

/** A strength as it is shown: "Hard". */
export const strengthName = (bot: string): string => bot.slice(0, 1).toUpperCase() + bot.slice(1);
