import { type ApiDocument, bodyOf, type Operation, resolved } from '../api/document.ts'
import type { ActionModel } from '../generic/collections.ts'
import { type FieldModel, fieldsOf, labelOf } from '../generic/fields.ts'

/** One configuration record, with everything needed to render its form. */
export interface SettingModel {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly path: string
  readonly inputs: readonly FieldModel[]
  readonly actions: readonly ActionModel[]
}

const BASE = '/api/v2/'
const PREFIX = `${BASE}configurations/`

/** All configuration records that have their own path. */
export function settingsOf(document: ApiDocument): readonly SettingModel[] {
  return Object.entries(document.paths).flatMap(([path, { put, patch }]) => {
    const name = path.startsWith(PREFIX) ? path.slice(PREFIX.length) : ''
    if (!put || !patch || !/^[a-z-]+$/.test(name)) return []
    return [
      {
        name,
        label: labelOf(name),
        description: sentence(put.summary.replace(/^Configuration: /, '')),
        path: path.slice(BASE.length),
        inputs: dataFields(document, put),
        actions: actionsOf(document, path),
      },
    ]
  })
}

const dataFields = (document: ApiDocument, operation: Operation): readonly FieldModel[] => {
  const { properties } = resolved(document.components.schemas, bodyOf(operation))
  return properties?.data ? fieldsOf(properties.data, document) : []
}

function actionsOf(document: ApiDocument, path: string): readonly ActionModel[] {
  return Object.entries(document.paths).flatMap(([each, { post }]) => {
    const name = each.startsWith(`${path}/`) ? each.slice(path.length + 1) : ''
    if (!post || !/^[a-z-]+$/.test(name)) return []
    const permission = post['x-corvus-permission']
    return [
      {
        name,
        label: labelOf(name),
        summary: post.summary,
        method: 'POST' as const,
        path: () => each.slice(BASE.length),
        ...(permission && { permission }),
        inputs: dataFields(document, post),
      },
    ]
  })
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
