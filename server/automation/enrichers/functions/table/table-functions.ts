import type { EnricherFunction } from '../../function.ts'
import { asn } from './asn.ts'
import { disposableMail } from './disposable-mail.ts'
import { epss } from './epss.ts'
import { geoip } from './geoip.ts'
import { kev } from './kev.ts'
import { oui } from './oui.ts'
import { torExits } from './tor-exits.ts'
import { tranco } from './tranco.ts'
import { warningList } from './warning-list.ts'

/** Functions for tables that others publish. */
export const tableFunctions: readonly EnricherFunction[] = [
  geoip,
  asn,
  kev,
  epss,
  tranco,
  warningList,
  torExits,
  disposableMail,
  oui,
]
