import type { CollectionModel } from '../../generic/collections.ts'
import { ListPage } from '../../generic/list-page.tsx'

const COLUMNS = [
  'username',
  'email',
  'roles',
  'groups',
  'is_active',
  'is_locked',
  'two_factor_enabled',
  'last_login_at',
]

/** All users with their roles and groups. */
export const UserList = ({ model }: { readonly model: CollectionModel }) => <ListPage model={model} columns={COLUMNS} />
