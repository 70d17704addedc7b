import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { shipFacts } from './attack/frameworks/ship-facts.ts'
import { shipDetonators } from './automation/detonators/ship-detonators.ts'
import { keepOrder } from './background/followers/change-log.ts'
import type { Config } from './config.ts'
import { BUILT_IN_ROLES, PERMISSIONS, SYSTEM_ADMIN } from './domain/permissions.ts'
import { syncSources } from './identity/groups.ts'
import { hashPassword } from './identity/sign-in/passwords.ts'
import { prepareTasks } from './prepare-tasks.ts'

interface Credentials {
  readonly username: string
  readonly password: string
}

// An arbitrary constant that no other advisory lock in the database uses.
const SEED_LOCK = 0x636f7278
const ADMINISTRATOR = 'admin'
const GROUP = 'Default'

/** Creates what every installation needs. Users' later changes are kept. */
export async function prepare(
  db: Kysely<unknown>,
  { adminPassword }: Pick<Config, 'adminPassword'>,
): Promise<{ firstAdministrator?: Credentials }> {
  await prepareTasks(db)
  return db.transaction().execute(async (transaction) => {
    // Several processes may start at once.
    await sql`select pg_advisory_xact_lock(${SEED_LOCK})`.execute(transaction)
    await keepPermissions(transaction)
    await keepRoles(transaction)
    await keepGroup(transaction)
    await keepOrder(transaction)
    await shipFacts(transaction)
    await shipDetonators(transaction)
    const { rows } = await sql`select from users limit 1`.execute(transaction)
    return rows.length > 0 ? {} : { firstAdministrator: await createAdministrator(transaction, adminPassword) }
  })
}

async function keepPermissions(db: Kysely<unknown>): Promise<void> {
  await sql`delete from permissions where name <> all(${PERMISSIONS}::text[])`.execute(db)
  // In two steps, because an insert with conflicts would use up ids at every start.
  await sql`
    insert into permissions (name)
    select name from unnest(${PERMISSIONS}::text[]) with ordinality as i(name, position)
    where name not in (select name from permissions)
    order by position`.execute(db)
}

/** New roles get their permissions once; only the administrators' role always gets all. */
async function keepRoles(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    insert into roles (name, description, is_system)
    select name, description, true
    from jsonb_to_recordset(${JSON.stringify(BUILT_IN_ROLES)}::jsonb) as i(name text, description text)
    where name not in (select name from roles where is_system)
    on conflict (name) do update set is_system = true
    returning name`.execute(db)
  const filled = BUILT_IN_ROLES.filter(({ name }) => name === SYSTEM_ADMIN || rows.some((row) => row.name === name))
  await sql`
    insert into role_permissions (source, target)
    select r.id, p.id
    from jsonb_to_recordset(${JSON.stringify(filled)}::jsonb) as i(name text, permissions jsonb)
    join roles as r on r.name = i.name
    join permissions as p on i.permissions ? p.name
    on conflict do nothing`.execute(db)
}

async function keepGroup(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    insert into groups (name, description)
    select ${GROUP}, 'The group that everybody begins with.'
    where not exists (select from groups)
    returning id`.execute(db)
  await syncSources(
    db,
    rows.map(({ id }) => id),
  )
}

async function createAdministrator(db: Kysely<unknown>, chosen: string | undefined): Promise<Credentials> {
  const password = chosen ?? randomBytes(15).toString('base64url')
  await sql`
    with made as (
      insert into users (username, password, must_change_password)
      values (${ADMINISTRATOR}, ${await hashPassword(password)}, ${chosen === undefined})
      returning id
    ), grouped as (
      insert into group_users (source, target, role)
      select groups.id, made.id, 'admin' from groups, made where groups.name = ${GROUP}
    )
    insert into role_users (source, target)
    select roles.id, made.id from roles, made where roles.name = ${SYSTEM_ADMIN}`.execute(db)
  return { username: ADMINISTRATOR, password }
}
