import { fileContent } from '@data-brain/contract/calls/attach'

/** How the address of a stored file begins. */
const begin = `/api/${fileContent.path}\\?id=`

/** An address of a stored file, as a pattern: its number is the first thing that is caught. */
export const fileAddress = `${begin}([1-9]\\d{0,18})`

/** Whether an address is that of a stored file. */
export const isFileAddress = (address: string | null): boolean =>
  new RegExp(`^${fileAddress}(?:&|$)`).test(address ?? '')
