import type { ContentType } from '../../formats/format.ts'
import type { Configuration } from './configuration.ts'

/** The permissions that an export needs: what is in observables is not for all who may read entities. */
export const permissionsFor = (
  { hasObservables }: Pick<ContentType, 'hasObservables'>,
  { observables }: Pick<Configuration, 'observables'>,
): string[] => ['read entities', ...(hasObservables && observables.include ? ['read extracts'] : [])]

/** What has to be read for a document: what it has no place for need not be. */
export const configurationFor = (
  { hasObservables }: Pick<ContentType, 'hasObservables'>,
  configuration: Configuration,
): Configuration =>
  hasObservables ? configuration : { ...configuration, observables: { ...configuration.observables, include: false } }

/** What a document is called: when it is of, which part of several, and what it is. */
export const filenameOf = ({ extension }: Pick<ContentType, 'extension'>, at: string, part = 1): string =>
  `corvus-${at.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}${part > 1 ? `-${part}` : ''}.${extension}`
