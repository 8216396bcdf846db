import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import type { Words } from '@data-brain/contract'
import { OutboundError, outboundAddress, outboundAgents, outboundError } from '../../../kernel/outbound.ts'
import type { Services } from '../../../kernel/services.ts'
import { type Parcel, type Range, type Store, StoreError } from './store.ts'

/** How a bucket is reached. */
export interface S3Place {
  /** A key of the dictionary `oss`. */
  readonly category: string
  readonly endpoint: string
  readonly region: string | null
  readonly bucketName: string
  readonly accessKey: string
  readonly secretKey: string
  readonly pathStyle: boolean
  readonly appId: string | null
}

/** Tencent's buckets are called `name-appid`; the two may be entered apart. */
const bucketOf = ({ category, bucketName, appId }: S3Place): string =>
  category === '4' && appId && !bucketName.endsWith(`-${appId}`) ? `${bucketName}-${appId}` : bucketName

const times = {
  connect: 5_000,
  /** A connection on which nothing moves. */
  still: 30_000,
  /** The longest that one file may take on its way in. */
  put: 1_800_000,
} as const

/** What a store answers when it refuses, by the name of its error: what the person who set it up can do about it. */
const reasons: Readonly<Record<string, Words>> = {
  NoSuchBucket: {
    zh: '空间（bucket）不存在，请核对空间名和区域',
    en: 'There is no such bucket: check its name and region',
  },
  InvalidBucketName: { zh: '空间名不合规', en: 'The name of the bucket is not valid' },
  InvalidAccessKeyId: { zh: '访问键不正确', en: 'The access key is wrong' },
  SignatureDoesNotMatch: { zh: '密钥不正确', en: 'The secret key is wrong' },
  AuthorizationHeaderMalformed: { zh: '区域不正确', en: 'The region is wrong' },
  AccessDenied: {
    zh: '没有权限：请检查访问键是否有效，并允许它读、写、删除该空间的对象',
    en: 'Access denied: check the access key, and let it read, write and delete objects of the bucket',
  },
  PermanentRedirect: { zh: '地址或区域不正确：该空间在别处', en: 'Wrong endpoint or region: the bucket is elsewhere' },
  RequestTimeTooSkewed: { zh: '服务器的时钟不准', en: 'The clock of this server is wrong' },
  QuotaExceeded: { zh: '对象存储的空间已满', en: 'The store is full' },
  EntityTooLarge: { zh: '文件超过对象存储的上限', en: 'The file is larger than the store takes' },
}
const alike: Readonly<Record<string, string>> = {
  Forbidden: 'AccessDenied',
  XMinioStorageFull: 'QuotaExceeded',
  '301': 'PermanentRedirect',
  '403': 'AccessDenied',
}
const reasonOf = (name: string): Words | undefined => reasons[alike[name] ?? name]

const nothing = (): void => {}
const silent = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing }

const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined

function wordsOf(error: unknown, host: string): Words {
  if (error instanceof OutboundError) return error.words
  if (error instanceof S3ServiceException) {
    const status = statusOf(error)
    const known = reasonOf(error.name) ?? reasonOf(String(status))
    if (known) return known
    return {
      zh: `${host} 回答：${error.name}${status ? `(${status})` : ''}`,
      en: `${host} answered: ${error.name}${status ? ` (${status})` : ''}`,
    }
  }
  const { name, code = '', cause, message } = error as NodeJS.ErrnoException
  if (cause !== undefined && cause !== error) return wordsOf(cause, host)
  if (/CERT|SELF_SIGNED|SSL|TLS/.test(code))
    return { zh: `${host} 的证书不可信（${code}）`, en: `The certificate of ${host} is not trusted (${code})` }
  // What answers something else than XML is no store, or one behind a page of its own.
  if (/deserialization|unexpected (token|end)|XML/i.test(message))
    return { zh: `${host} 的回答不是对象存储的回答`, en: `${host} does not answer like an object store` }
  return outboundError(name === 'TimeoutError' || name === 'AbortError' ? { code: 'ETIMEDOUT' } : error, host).words
}

/** A bucket of MinIO, AWS, Alibaba, Tencent, Qiniu, Huawei or any other that speaks S3. */
export class S3Store implements Store {
  readonly #client: S3Client
  readonly #bucket: string
  readonly #host: string

  constructor(services: Pick<Services, 'environment'>, place: S3Place) {
    let address: URL
    try {
      address = outboundAddress(place.endpoint)
    } catch (error) {
      throw new StoreError((error as OutboundError).words, error)
    }
    this.#bucket = bucketOf(place)
    this.#host = address.host
    this.#client = new S3Client({
      endpoint: address.href,
      // Stores of one's own have no regions, but the signature names one.
      region: place.region || 'us-east-1',
      forcePathStyle: place.pathStyle,
      credentials: { accessKeyId: place.accessKey, secretAccessKey: place.secretKey },
      maxAttempts: 2,
      // What goes wrong is told by the error; the client would write to the console as well.
      logger: silent,
      // Most of the stores named above refuse the newer checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        ...outboundAgents(services, { keepAlive: true, maxSockets: 64, timeout: times.still }),
        connectionTimeout: times.connect,
        socketTimeout: times.still,
      },
    })
    // The file's own hash is signed, so that a store takes exactly these bytes or none.
    this.#client.middlewareStack.add(
      (next) => (args) => {
        const { input, request } = args as { input: { Metadata?: Record<string, string> }; request: unknown }
        const sha256 = input.Metadata?.sha256
        if (sha256) (request as { headers: Record<string, string> }).headers['x-amz-content-sha256'] = sha256
        return next(args)
      },
      { step: 'build', name: 'signTheContent' },
    )
  }

  async #ask<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof StoreError) throw error
      throw new StoreError(wordsOf(error, this.#host), error)
    }
  }

  put(name: string, { path, size, sha256, mime }: Parcel): Promise<void> {
    return this.#ask(async () => {
      const send = (): Promise<unknown> =>
        this.#client.send(
          new PutObjectCommand({
            Bucket: this.#bucket,
            Key: name,
            Body: createReadStream(path),
            ContentLength: size,
            ContentType: mime,
            Metadata: { sha256 },
          }),
          { abortSignal: AbortSignal.timeout(times.put) },
        )
      try {
        await send()
      } catch (error) {
        // A stream is read once, so the client cannot try it again by itself; what a store refused is refused.
        const status = statusOf(error)
        if (error instanceof OutboundError || (status !== undefined && status < 500)) throw error
        await send()
      }
    })
  }

  get(name: string, range?: Range): Promise<Readable | undefined> {
    return this.#ask(async () => {
      try {
        const { Body } = await this.#client.send(
          new GetObjectCommand({
            Bucket: this.#bucket,
            Key: name,
            ...(range ? { Range: `bytes=${range.from}-${range.to}` } : {}),
          }),
        )
        return Body as Readable
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    })
  }

  head(name: string): Promise<number | undefined> {
    return this.#ask(async () => {
      try {
        return (await this.#client.send(new HeadObjectCommand({ Bucket: this.#bucket, Key: name }))).ContentLength
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    })
  }

  async remove(name: string): Promise<void> {
    await this.#ask(async () => {
      try {
        await this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: name }))
      } catch (error) {
        if (!isMissing(error)) throw error
      }
    })
  }
}

/** A missing object; a missing bucket is a failure, not an absence. */
const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException &&
  (error.name === 'NoSuchKey' ||
    error.name === 'NotFound' ||
    (statusOf(error) === 404 && error.name !== 'NoSuchBucket'))
