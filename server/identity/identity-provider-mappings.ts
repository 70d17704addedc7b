import { sql } from 'kysely'
import { ref, refs, text } from '../engine/field.ts'
import { defineResource } from '../engine/resource.ts'
import { stamps } from '../engine/stamps.ts'
import { grantChecked } from './grant-checked.ts'

export const identityProviderMappings = defineResource({
  collection: 'identity_provider_mappings',
  title: 'Identity provider mapping',
  doc: 'Groups and roles granted to users whose identity provider claim has a given value.',
  key: ['identity_provider', 'claim', 'value'],
  permission: 'configurations',
  fields: {
    identity_provider: ref('identity_providers').required(),
    claim: text(1, 500)
      .default('groups')
      .describe(
        'The name of a claim, or the path to a nested claim such as `realm_access.roles`. The claim may be a string or a list.',
      ),
    value: text(1, 2000).required(),
    groups: refs('groups', 'identity_provider_mapping_groups').guardedBy('modify user-groups'),
    roles: refs('roles', 'identity_provider_mapping_roles').guardedBy('modify user-roles'),
    ...stamps,
  },
  example: { identity_provider: 1, claim: 'groups', value: 'threat-analysts', groups: [1] },
  operations: grantChecked((ids) => ({
    roles: sql`select target from identity_provider_mapping_roles where source = any(${ids}::integer[])`,
    groups: sql`select target from identity_provider_mapping_groups where source = any(${ids}::integer[])`,
  })),
})
