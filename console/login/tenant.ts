import { clientHeader } from '../src/http/boot.ts'
import { element } from './page.ts'

interface TenantInfo {
  tenantId?: string
  tenantName?: string
  logo?: string | null
  backgroundUrl?: string | null
}

/** A picture's address, where the page may show it: the content-security policy lets none of another host in. */
function picture(address: string | null | undefined): string | undefined {
  if (!address) return undefined
  try {
    const url = new URL(address, window.location.href)
    return url.origin === window.location.origin ? url.href : undefined
  } catch {
    // Not an address: as good as none.
    return undefined
  }
}

/** The name and the pictures of a tenant, in place of the product's. */
function dress({ tenantName, logo, backgroundUrl }: TenantInfo): void {
  if (tenantName) {
    const who = element('who')
    delete who.dataset.t
    who.textContent = tenantName
    element('product').hidden = false
  }
  const background = picture(backgroundUrl)
  if (background) {
    document.body.classList.add('pictured')
    document.body.style.backgroundImage = `url(${JSON.stringify(background)})`
  }
  const source = picture(logo)
  if (!source) return
  const image = new Image()
  image.alt = ''
  image.className = 'logo'
  // Only a picture that is there takes the place of the product's mark.
  image.onload = () => element('mark').replaceWith(image)
  image.src = source
}

/** Asks whose host this is: its pictures are shown, and its tenant is told. Undefined where it is nobody's. */
export async function tenantOfDomain(): Promise<{ tenantId: string; tenantName: string } | undefined> {
  const { host, hostname } = window.location
  // An address without a name belongs to no tenant: nothing to ask.
  if (hostname === 'localhost' || /^[\d.]+$|:/.test(hostname)) return undefined
  try {
    const headers = { Authorization: clientHeader() }
    const response = await fetch(`/api/blade-system/tenant/info?domain=${encodeURIComponent(host)}`, { headers })
    if (!response.ok) return undefined
    const { data } = (await response.json()) as { data?: TenantInfo | null }
    if (!data?.tenantId) return undefined
    dress(data)
    return { tenantId: data.tenantId, tenantName: data.tenantName ?? '' }
  } catch {
    // The page works without it.
    return undefined
  }
}
