import { textFrom } from '../../../domain/text-from.ts'
import { countryCodeOf, isNameOfCountry } from './countries.ts'
import { galaxyOf } from './external-ids.ts'
import { normalisedName } from './names.ts'

type Data = Readonly<Record<string, unknown>>

/** The fields of a location, the most precise first, and the kind of place that has them. */
const KINDS = [
  ['street_address', 'address'],
  ['postal_code', 'address'],
  ['city', 'city'],
  ['administrative_area', 'area'],
  ['country', 'country'],
  ['region', 'region'],
] as const

const NAMED_KINDS: Readonly<Record<string, string>> = {
  'administrative-area': 'area',
  city: 'city',
  country: 'country',
  position: 'address',
  region: 'region',
}

/** What identifies a location besides its title. */
export interface Place {
  /** The code of the country that it is; undefined if it is not a country, or unknown. */
  readonly country: string | undefined
  /** Its kind, and where it is; undefined if the kind is unknown. */
  readonly kind: string | undefined
}

/** Tells countries, regions, areas, cities and addresses apart. Sources give the country of a city in the same field as the code of a country. */
export function placeOf(data: Data, title: string): Place {
  const galaxy = galaxyOf(data)
  const code = countryCodeOf(data.country) ?? (galaxy.type === 'country' ? countryCodeOf(galaxy.meta.ISO) : undefined)
  const kind = kindOf(data) ?? (galaxy.type === 'country' || galaxy.type === 'region' ? galaxy.type : undefined)
  const isCountry =
    code !== undefined && kind === 'country' && (isSaidToBeCountry(data) || isNameOfCountry(String(data.title), code))
  if (isCountry) return { country: code, kind: undefined }
  if (kind === undefined) return { country: undefined, kind: undefined }
  // A place in a country, of an unknown kind.
  const named = kind === 'country' && code !== undefined ? 'place' : kind
  const within = [data.administrative_area, code ?? data.country].map((part) =>
    typeof part === 'string' ? normalisedName(part) : '',
  )
  return { country: undefined, kind: [named, ...within.filter((part) => part !== '' && part !== title)].join(' ') }
}

function kindOf(data: Data): string | undefined {
  const said = data.x_opencti_location_type
  const known = typeof said === 'string' ? NAMED_KINDS[said.toLowerCase()] : undefined
  return known ?? KINDS.find(([field]) => typeof data[field] === 'string' && data[field] !== '')?.[1]
}

const isSaidToBeCountry = (data: Data): boolean =>
  textFrom(data.x_opencti_location_type).toLowerCase() === 'country' || galaxyOf(data).type === 'country'
