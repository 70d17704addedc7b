import type { ContentType } from '../../formats/format.ts'
import type { Configuration } from './configuration.ts'

/** The permissions that an export needs: observables require their own. */
export const permissionsFor = (
  { hasObservables }: Pick<ContentType, 'hasObservables'>,
  { observables }: Pick<Configuration, 'observables'>,
): string[] => ['read entities', ...(hasObservables && observables.include ? ['read extracts'] : [])]

/** The configuration without parts that the content type cannot contain, so that they are not read. */
export const configurationFor = (
  { hasObservables }: Pick<ContentType, 'hasObservables'>,
  configuration: Configuration,
): Configuration =>
  hasObservables ? configuration : { ...configuration, observables: { ...configuration.observables, include: false } }

/** The file name of an export: its time, its number if it has several parts, and the extension of its type. */
export const filenameOf = ({ extension }: Pick<ContentType, 'extension'>, at: string, part = 1): string =>
  `corvus-${at.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}${part > 1 ? `-${part}` : ''}.${extension}`
