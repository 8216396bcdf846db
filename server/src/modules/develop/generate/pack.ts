import type { Generated } from './files.ts'

/** What stands in the archive beside the files, for whoever unpacks it. */
const readme = (names: readonly string[], hasUpdate: boolean): string => `# ${names.join(', ')}

Apply the patch at the root of the sources / 在源代码根目录应用补丁：

    git apply data-brain.patch
    npm run generate
    npm run format
${
  hasUpdate
    ? `
Sources that have what was generated before / 源代码中已有上次生成的内容：

    git apply --reject update.patch

It holds only what is different from the last time. Where somebody has changed a line since, git leaves the line and writes
the difference to a file .rej. A migration that has run somewhere is not changed: take its difference into a new one.
补丁只含与上次生成的差异。若某行已被修改，git 保留该行，并把差异写入 .rej 文件。已执行过的迁移脚本不要修改，请把差异写成新的迁移。
`
    : ''
}
Permission codes and requirements / 权限与测试：read what \`npm run generate\` changes in server/test/matrix.tsv, then

    npx vitest run contract/test/entities.test.ts ${names.map((name) => `server/test/${name}.test.ts`).join(' ')}
`

/** Packs what was generated: the files by their paths, the patches, and how they are applied. */
export async function packGenerated(
  { files, patch, update }: Generated,
  names: readonly string[],
): Promise<Uint8Array> {
  const { zipSync } = await import('fflate')
  const encoder = new TextEncoder()
  const texts: Record<string, string> = {
    'README.md': readme(names, update !== ''),
    'data-brain.patch': patch,
    ...(update === '' ? {} : { 'update.patch': update }),
    ...Object.fromEntries(files.map(({ path, text }) => [`files/${path}`, text])),
  }
  return zipSync(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, encoder.encode(text)])))
}
