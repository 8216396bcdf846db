const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** The text that stands between tags. */
export function unescapeXml(xml: string): string {
  const text = xml.includes('<![CDATA[')
    ? xml.replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_all, raw: string) => raw.replace(/&/g, '&amp;'))
    : xml
  return text.includes('&')
    ? text.replace(
        /&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|(\w{2,4}));/gi,
        (whole, hex: string, number: string, name: string) => {
          if (name) return entities[name.toLowerCase()] ?? whole
          const point = hex ? Number.parseInt(hex, 16) : Number(number)
          return point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)
            ? String.fromCodePoint(point)
            : ''
        },
      )
    : text
}
