import { isBrokenText } from './parameter.ts'
import { Problem } from './problem.ts'

/** Refuses texts that cannot be stored, names among them, wherever they stand in a JSON body. */
export function refuseBrokenTexts(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    if (isBrokenText(value))
      throw new Problem(
        'field_invalid',
        {
          label: path || 'body',
          reason: { zh: '含有无法保存的字符', en: 'contains a character that cannot be stored' },
        },
        { field: path, fields: [] },
      )
  } else if (Array.isArray(value))
    for (const [index, each] of value.entries()) refuseBrokenTexts(each, path || String(index))
  else if (value && typeof value === 'object')
    for (const [key, each] of Object.entries(value)) {
      refuseBrokenTexts(key, path)
      refuseBrokenTexts(each, path || key)
    }
}
