import { useNames } from '../../api/names.ts'
import { FieldValue } from '../entity/field-values.tsx'
import { useTaxonomyPaths } from '../taxonomies/taxonomy-paths.ts'
import { namedValue } from './named-value.ts'

/** The value of a field, with names in place of the addresses of objects. */
export function ComparedValue({ path, value }: { readonly path: string; readonly value: unknown }) {
  const taxonomies = useTaxonomyPaths()
  const sources = useNames('sources')
  return <FieldValue name={path.split('.').at(-1) ?? path} value={namedValue(path, value, { taxonomies, sources })} />
}
