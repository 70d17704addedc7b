import { COUNTRY_CODES } from '../../../../domain/observables/countries.ts'
import type { Finding } from '../../function.ts'
import { textIn } from './row-values.ts'
import { tableFunction } from './table-function.ts'

const COUNTRY = ['country.iso_code', 'country_code', 'country', 'countryCode', 'registered_country.iso_code']
const CITY = ['city.names.en', 'city_name', 'city']

/** Country and city of an address. */
export const geoip = tableFunction({
  table: 'geoip',
  title: 'GeoIP country and city',
  description: 'Finds the country and, if the table has cities, the city of an address.',
  supportedTypes: ['ipv4', 'ipv6'],
  load: 'Create the table `geoip` with the format mmdb and load a country or city database, such as GeoLite2 of MaxMind (with an account) or the lite databases of DB-IP (https://db-ip.com/db/lite.php). The format csv also works, with networks or first addresses as `key_column` and the column `country_code`.',
  parameters: {},
  find: ({ rowsAround }, table, { value }) => rowsAround(table, value),
  read: ({ hits }) => {
    const row = hits[0]?.row ?? {}
    const code = textIn(row, ...COUNTRY)?.toUpperCase()
    const city = textIn(row, ...CITY)
    const findings: Finding[] = []
    const isCode = code !== undefined && COUNTRY_CODES.has(code)
    if (isCode) {
      findings.push({ kind: 'tag', value: `country:${code}` })
      findings.push({ kind: 'link', relation: 'located-in', observable: { type: 'country-code', value: code } })
    }
    if (city !== undefined)
      findings.push({ kind: 'link', relation: 'located-in', observable: { type: 'city', value: city } })
    // Tables use ZZ, XX or - for unknown countries.
    const isWord = code !== undefined && !isCode && !/^(ZZ|XX|-|NONE|UNKNOWN)$/.test(code)
    return { findings, warnings: isWord ? [`'${code.slice(0, 100)}' is not a country code.`] : [] }
  },
})
