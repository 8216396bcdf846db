/** What the server writes into the page before it sends it. */
export interface Boot {
  clientId: string
  clientSecret: string
  version: string
  build: string
  tenantMode: boolean
  captcha: boolean
  switchMode: boolean
  /** For style elements, where the content-security policy asks for one. */
  nonce?: string
  /** On the log-in page: the addresses of the console's code, which it fetches ahead. */
  shell?: readonly string[]
}

const absent: Boot = {
  clientId: '',
  clientSecret: '',
  version: '',
  build: '',
  tenantMode: true,
  captcha: false,
  switchMode: false,
}

function readBoot(): Boot {
  const text = document.getElementById('boot')?.textContent
  if (!text) return absent
  return { ...absent, ...(JSON.parse(text) as Partial<Boot>) }
}

export const boot: Boot = readBoot()

/** The client's Basic header: it identifies the application and protects nothing (it is in the page). */
export const clientHeader = (): string => `Basic ${btoa(`${boot.clientId}:${boot.clientSecret}`)}`
