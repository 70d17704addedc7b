import { listOf } from './lists.ts'

const PATHS = listOf(`
  Sector/Finance/Banking, Sector/Finance/Insurance, Sector/Finance/Payments, Sector/Energy/Electricity, Sector/Energy/Gas,
  Sector/Energy/Oil, Sector/Government/National, Sector/Government/Municipal, Sector/Government/Diplomacy,
  Sector/Health/Hospitals, Sector/Health/Research, Sector/Telecommunications, Sector/Transport/Rail,
  Sector/Transport/Aviation, Sector/Transport/Shipping, Sector/Education, Sector/Manufacturing,
  Region/Europe/North, Region/Europe/West, Region/Europe/South, Region/Europe/East, Region/Americas/North,
  Region/Americas/South, Region/Asia/East, Region/Asia/South, Region/Asia/Central, Region/Africa, Region/Oceania,
  Motive/Espionage, Motive/Money/Extortion, Motive/Money/Fraud, Motive/Sabotage, Motive/Activism, Motive/Unknown,
  Requirement/Priority 1, Requirement/Priority 2, Requirement/Priority 3`)

/** The taxonomies of entities, each node as its path from the root. */
export const demoTaxonomies = (): readonly string[] => PATHS

/** The paths of every level, from the roots down. */
export function taxonomyLevels(): string[][] {
  const levels: Set<string>[] = []
  for (const path of PATHS) {
    const names = path.split('/')
    for (const depth of names.keys()) {
      levels[depth] ??= new Set()
      levels[depth].add(names.slice(0, depth + 1).join('/'))
    }
  }
  return levels.map((level) => [...level])
}
