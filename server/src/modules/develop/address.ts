import type { Words } from '@data-brain/contract'

/** Where a data source is, read out of its address. */
export type SourceAddress =
  | {
      readonly kind: 'postgresql' | 'mysql'
      readonly host: string
      readonly port: number
      readonly database: string
      /** `verify`: the certificate has to be right. */
      readonly tls: 'off' | 'on' | 'verify'
    }
  | { readonly kind: 'sqlite'; readonly file: string }

/** An address that cannot be used, in words that go on after the field's label. */
export interface AddressFault {
  readonly fault: Words
}

const fault = (zh: string, en: string): AddressFault => ({ fault: { zh, en } })

/** Parameters of addresses that other programs write, and that change nothing here. */
const passedOver: ReadonlySet<string> = new Set([
  'allowpublickeyretrieval',
  'applicationname',
  'autoreconnect',
  'characterencoding',
  'charset',
  'connecttimeout',
  'currentschema',
  'nullcatalogmeanscurrent',
  'rewritebatchedstatements',
  'servertimezone',
  'sockettimeout',
  'timezone',
  'tinyint1isbit',
  'useservprepstmts',
  'useunicode',
  'zerodatetimebehavior',
])

/** Parameters that say whether a connection is encrypted. */
const tlsNames: ReadonlySet<string> = new Set([
  'sslmode',
  'ssl',
  'usessl',
  'requiressl',
  'verifyservercertificate',
  'ssl-mode',
])
const meanOn = ['require', 'required', 'true', 'yes', '1', 'trust']
const meanOff = ['disable', 'disabled', 'false', 'no', '0']

/** What such a parameter says; undefined where that is not understood: nothing is sent in the clear by a slip. */
function tlsOf(name: string, value: string): 'off' | 'on' | 'verify' | undefined {
  const said = value.toLowerCase().replace('_', '-')
  if (['verify-ca', 'verify-full', 'verify-identity'].includes(said)) return 'verify'
  if (meanOn.includes(said)) return name === 'verifyservercertificate' ? 'verify' : 'on'
  return meanOff.includes(said) ? 'off' : undefined
}

const stricter = (a: 'off' | 'on' | 'verify', b: 'off' | 'on' | 'verify'): typeof a => {
  const order = ['off', 'on', 'verify'] as const
  return order[Math.max(order.indexOf(a), order.indexOf(b))]!
}

function parametersOf(query: string): { tls: 'off' | 'on' | 'verify' } | AddressFault {
  let tls: 'off' | 'on' | 'verify' = 'off'
  for (const [given, value] of new URLSearchParams(query)) {
    const name = given.toLowerCase()
    if (['user', 'username', 'password'].includes(name))
      return fault(
        '不能含有用户名或密码，请填在各自的栏中',
        'must hold no user name or password: they have fields of their own',
      )
    if (tlsNames.has(name)) {
      const said = tlsOf(name, value)
      if (!said)
        return fault(
          `参数 ${given.slice(0, 40)} 须为 require、verify-full 或 disable`,
          `must say require, verify-full or disable by ${given.slice(0, 40)}`,
        )
      tls = stricter(tls, said)
    } else if (!passedOver.has(name))
      return fault(`不允许使用参数 ${given.slice(0, 40)}`, `must not use the parameter ${given.slice(0, 40)}`)
  }
  return { tls }
}

const schemes = {
  postgresql: { names: ['postgresql', 'postgres'], port: 5432 },
  mysql: { names: ['mysql', 'mariadb'], port: 3306 },
} as const

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function serverAddress(kind: 'postgresql' | 'mysql', address: string): SourceAddress | AddressFault {
  const { names, port: usual } = schemes[kind]
  const expected = fault(`须形如 ${kind}://host:${usual}/school`, `must look like ${kind}://host:${usual}/school`)
  const [, scheme = '', authority = '', path = '', query = ''] =
    /^(?:jdbc:)?([a-z]+):\/\/([^/?#]*)\/([^/?#]*)(?:\?([^#]*))?$/i.exec(address) ?? []
  if (!(names as readonly string[]).includes(scheme.toLowerCase())) return expected
  if (authority.includes('@'))
    return fault(
      '不能含有用户名或密码，请填在各自的栏中',
      'must hold no user name or password: they have fields of their own',
    )
  const [, host = '', given] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i.exec(authority) ?? []
  const port = given === undefined ? usual : Number(given)
  const database = decoded(path)
  if (!host || !database || port < 1 || port > 65_535) return expected
  const parameters = parametersOf(query)
  return 'fault' in parameters ? parameters : { kind, host, port, database, ...parameters }
}

function fileAddress(address: string): SourceAddress | AddressFault {
  const [, file = ''] = /^(?:(?:jdbc:)?sqlite:)?(.*)$/i.exec(address) ?? []
  const parts = file.split('/')
  // A drive, a scheme, a parameter or a way out: a file is named within the operator's folder and by nothing else.
  if (!file || /[:?#\\\p{Cc}]/u.test(file) || parts.some((part) => part === '' || part === '.' || part === '..'))
    return fault(
      '须为运维人员文件夹中的文件名，如 sqlite:school.db',
      'must be the name of a file in the operator’s folder, such as sqlite:school.db',
    )
  return { kind: 'sqlite', file }
}

/** Reads an address, as people write it or as JDBC has it. Says what is wrong with one that cannot be used. */
export function readAddress(driverClass: string, address: string): SourceAddress | AddressFault {
  if (driverClass === 'sqlite') return fileAddress(address.trim())
  if (driverClass === 'postgresql' || driverClass === 'mysql') return serverAddress(driverClass, address.trim())
  return fault(
    '该驱动不受支持，只能保留，不能连接',
    'is of a driver that is not supported: it is kept, and not connected to',
  )
}
