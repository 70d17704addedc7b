import { isRecord } from '../../../domain/record.ts'
import type { SentLayer } from './layer.ts'

/** What older formats call platforms. */
const PLATFORMS: Readonly<Record<string, string>> = {
  android: 'Android',
  ios: 'iOS',
  linux: 'Linux',
  mac: 'macOS',
  windows: 'Windows',
}

/** The layouts that took the place of the view modes of formats before 3.0: the full table, a compact one, and one without texts. */
const LAYOUTS = [
  { layout: 'side', showName: true, showID: false },
  { layout: 'side', showName: false, showID: true },
  { layout: 'mini', showName: false, showID: false },
]

/** A layer in the terms of the current format, without the numbers of versions. */
export function currentLayer({ version: _, versions: __, viewMode, viewFullTable, ...layer }: SentLayer) {
  const mode = typeof viewFullTable === 'boolean' ? Number(!viewFullTable) : viewMode
  const layout = typeof mode === 'number' ? LAYOUTS[mode] : undefined
  const { filters } = layer
  const platforms = filters?.platforms
  return {
    ...layer,
    ...(layout && !isRecord(layer.layout) && { layout }),
    ...(filters && Array.isArray(platforms) && { filters: { ...filters, platforms: platforms.map(platformName) } }),
  }
}

const platformName = (name: unknown): unknown =>
  typeof name === 'string' && Object.hasOwn(PLATFORMS, name) ? PLATFORMS[name] : name

/** The format that a layer says it is in. */
export const formatOf = ({ version, versions }: SentLayer): string => versions?.layer ?? version ?? ''
