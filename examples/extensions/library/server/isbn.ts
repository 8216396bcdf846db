/** Whether thirteen digits are an ISBN: weighted 1, 3, 1, 3 … they add up to a multiple of ten. */
export function isIsbn(digits: string): boolean {
  if (!/^97[89]\d{10}$/.test(digits)) return false
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0
}
