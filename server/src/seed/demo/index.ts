import type { Services } from '../../kernel/services.ts'
import type { Told } from '../index.ts'

export async function seedDemo(_services: Services): Promise<Told[]> {
  return []
}
