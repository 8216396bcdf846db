import { type ControlProps, PictureControl, type PictureSort } from '../../entity/fields/index.ts'
import { useT } from '../../ui/words.ts'

const most: Readonly<Record<string, number>> = { logo: 500 * 1024, backgroundUrl: 2 * 1024 * 1024 }

/** The number of the file that an address of ours leads to. */
const idIn = (address: string): string | null => /attach\/file\?id=(\d+)/.exec(address)?.[1] ?? null

/** A picture of the log-in page. The form keeps its address. */
export function TenantPicture(props: ControlProps) {
  const t = useT()
  const limit = most[props.name] ?? 0
  const sort: PictureSort = {
    limit,
    wrong: t('tenant.pictureWrong', { size: limit / 1024 }),
    keep: ({ link }) => link,
    idOf: idIn,
    unseen: (address) =>
      idIn(address) === null && <span className="muted">{t('tenant.pictureElsewhere', { address })}</span>,
  }
  return <PictureControl {...props} sort={sort} />
}
