const plural = new Intl.PluralRules('en')

/** So many of something, in English: `1 row`, `2 rows`. */
export const pluralize = (count: number, one: string, other = `${one}s`): string =>
  `${count} ${plural.select(count) === 'one' ? one : other}`
