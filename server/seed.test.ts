import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createDatabase, type TestDatabase } from '../test/database.ts'
import { PERMISSIONS } from './domain/permissions.ts'
import { verifyPassword } from './identity/sign-in/passwords.ts'
import { prepare } from './seed.ts'

let database: TestDatabase
before(async () => {
  database = await createDatabase()
})
after(() => database.drop())

const one = async (statement: string) => (await database.pool.query(statement)).rows[0]

test('an installation with users gets no administrator and stays unchanged', async () => {
  await database.pool.query(
    `delete from role_permissions where source = (select id from roles where name = 'Team Lead')`,
  )
  await database.pool.query(`update roles set description = 'Ours' where name = 'Threat Analyst'`)
  const before = await one('select count(*) as users, (select count(*) from groups) as groups from users')
  assert.deepEqual(await prepare(database.db, { adminPassword: undefined }), {})
  assert.deepEqual(await one('select count(*) as users, (select count(*) from groups) as groups from users'), before)
  assert.equal((await one(`select description from roles where name = 'Threat Analyst'`)).description, 'Ours')
  const lead = await one(
    `select count(*) from role_permissions l join roles r on r.id = l.source where r.name = 'Team Lead'`,
  )
  assert.equal(lead.count, 0)
})

test('administrators get new permissions, and removed permissions disappear', async () => {
  await database.pool.query(`delete from permissions where name = 'read entities'`)
  await database.pool.query(`insert into permissions (name) values ('read tea-leaves')`)
  await prepare(database.db, { adminPassword: undefined })
  const { rows } = await database.pool.query(`
    select p.name from role_permissions l join roles r on r.id = l.source join permissions p on p.id = l.target
    where r.name = 'System Admin' order by p.name collate "C"`)
  assert.deepEqual(
    rows.map(({ name }) => name),
    PERMISSIONS.toSorted(),
  )
})

test('of several concurrent first starts, exactly one creates the administrator', async () => {
  await database.pool.query('delete from users')
  const made = await Promise.all(Array.from({ length: 4 }, () => prepare(database.db, { adminPassword: undefined })))
  const [first, ...others] = made.flatMap(({ firstAdministrator }) => firstAdministrator ?? [])
  assert.equal(first?.username, 'admin')
  assert.deepEqual(others, [])
  const admin = await one(`select * from users where username = 'admin'`)
  assert.equal(admin.must_change_password, true)
  assert.equal(await verifyPassword(admin.password, first?.password ?? ''), true)
  const member = await one(`select l.role from group_users l join groups g on g.id = l.source where g.name = 'Default'`)
  assert.equal(member.role, 'admin')
})

test('the first source of a new installation is one that can be written to', async () => {
  const { type } = await one('select type from sources order by created_at, id limit 1')
  assert.equal(type, 'group')
})

test('a password chosen by the operator need not be changed', async () => {
  await database.pool.query('delete from users')
  const { firstAdministrator } = await prepare(database.db, { adminPassword: 'chosen' })
  assert.deepEqual(firstAdministrator, { username: 'admin', password: 'chosen' })
  assert.equal((await one('select must_change_password from users')).must_change_password, false)
})
