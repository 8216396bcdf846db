/** A reason not to start that the operator can do something about: shown in both languages, without a stack. */
export class StartError extends Error {
  constructor(zh: string, en: string, options?: ErrorOptions) {
    super(`${en}\n${zh}`, options)
    this.name = 'StartError'
  }
}

const systemCauses: Readonly<Record<string, { zh: string; en: string }>> = {
  EACCES: {
    zh: '没有权限，请检查该路径的所有者和权限',
    en: 'no permission: see who owns the path and who may write to it',
  },
  EPERM: {
    zh: '没有权限，请检查该路径的所有者和权限',
    en: 'no permission: see who owns the path and who may write to it',
  },
  EROFS: {
    zh: '文件系统是只读的，请以可写方式挂载',
    en: 'the file system is read-only: mount it so that it can be written to',
  },
  ENOSPC: { zh: '磁盘已满，请腾出空间', en: 'the disk is full: make room' },
  EDQUOT: { zh: '磁盘配额已用完，请腾出空间或提高配额', en: 'the disk quota is used up: make room, or raise it' },
  ENOTDIR: { zh: '路径中有一部分不是文件夹，请检查 DATA_DIR', en: 'a part of the path is no folder: see DATA_DIR' },
  EISDIR: { zh: '该路径是文件夹，不是文件', en: 'the path is a folder and not a file' },
  EADDRINUSE: { zh: '端口已被占用，请用 PORT 指定其他端口', en: 'the port is in use: choose another with PORT' },
  EADDRNOTAVAIL: { zh: '本机没有这个地址，请检查 HOST', en: 'this machine does not have the address: see HOST' },
  ENOTFOUND: { zh: '找不到该主机，请检查 HOST', en: 'the host cannot be found: see HOST' },
}
/** What PostgreSQL answers to whom it does not let do something. */
const databaseCauses: Readonly<Record<string, { zh: string; en: string }>> = {
  '42501': { zh: 'DATABASE_URL 的角色权限不足', en: 'the role of DATABASE_URL may not do this' },
  '25006': { zh: '数据库是只读的', en: 'the database is read-only' },
  '53100': { zh: '数据库的磁盘已满，请腾出空间', en: 'the disk of the database is full: make room' },
  '53300': {
    zh: '数据库的连接已用完，请提高 max_connections',
    en: 'the database has no connection left: raise max_connections',
  },
}

/** The reason in words that ended a start, where the operator can do something about it; others are left as they are. */
export function inWords(error: Error & { code?: string; path?: string; address?: string; port?: number }): Error {
  if (error instanceof StartError) return error
  const { code = '' } = error
  const database = databaseCauses[code]
  if (database)
    return new StartError(
      `未能完成：${database.zh}（${error.message}）。`,
      `Not done: ${database.en} (${error.message}).`,
    )
  const cause = systemCauses[code]
  if (!cause) return error
  const where = error.path ?? (error.port === undefined ? error.message : `${error.address ?? ''}:${error.port}`)
  return new StartError(`未能完成（${where}）：${cause.zh}。`, `Not done (${where}): ${cause.en}.`, { cause: error })
}
