import { workerData } from 'node:worker_threads'
import { handOver } from '../../kernel/reading-thread.ts'
import { ArchiveRefusal, type Piece, type UnreadFiles, unpack } from './unpack.ts'

/* The thread that takes an archive apart. */

handOver<Piece, UnreadFiles>(
  (give) => unpack(workerData as string, give),
  (error) =>
    error instanceof ArchiveRefusal
      ? error.words
      : {
          zh: '压缩包无法读取，请重新导出后重试',
          en: 'The archive cannot be read: export it anew and try again',
        },
)
