import { Faults, sortFaults } from '../ui/faults.tsx'
import { withProviderNames } from './made.ts'

/** Why an answer was refused or failed, with the names of providers in place of their ids. */
export const AiFaults = ({ error }: { readonly error: unknown }) => (
  <Faults texts={sortFaults(error, []).others.map(withProviderNames)} />
)
