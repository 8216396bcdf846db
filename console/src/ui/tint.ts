/** The colour of a person’s disc, s1 … s8: the same wherever the name stands. */
export function tintOf(name: string): number {
  let sum = 0
  for (let at = 0; at < name.length; at += 1) sum += name.charCodeAt(at)
  return (sum % 8) + 1
}
