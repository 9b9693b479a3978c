// What the check says of rows that may refer to rows that go, before a request is held for it.
import { expect, it } from 'vitest';
import type { TablesWork } from '../../../src/domain/target/target.ts';
import { table, tables, via, written } from './checked-target.ts';
import { onEachDatabase } from './on-each-database.ts';

const TABLES = `CREATE TABLE authors (id int NOT NULL PRIMARY KEY, email varchar(190), mentor_id int,
  CONSTRAINT authors_mentor FOREIGN KEY (mentor_id) REFERENCES authors (id));
CREATE TABLE entries (id int NOT NULL PRIMARY KEY, author_id int NOT NULL, last_editor_id int, answers_id int,
  CONSTRAINT entries_author FOREIGN KEY (author_id) REFERENCES authors (id),
  CONSTRAINT entries_editor FOREIGN KEY (last_editor_id) REFERENCES authors (id) ON DELETE SET NULL,
  CONSTRAINT entries_answers FOREIGN KEY (answers_id) REFERENCES entries (id) ON DELETE CASCADE);
CREATE TABLE letters (id int NOT NULL PRIMARY KEY, writer_id int NOT NULL, reader_id int NOT NULL,
  CONSTRAINT letters_writer FOREIGN KEY (writer_id) REFERENCES authors (id),
  CONSTRAINT letters_reader FOREIGN KEY (reader_id) REFERENCES authors (id));
CREATE TABLE badges (id int NOT NULL PRIMARY KEY, given_by int,
  CONSTRAINT badges_giver FOREIGN KEY (given_by) REFERENCES authors (id));
CREATE TABLE plain (id int NOT NULL PRIMARY KEY, author_id int, last_editor_id int);
CREATE TABLE partners (id int NOT NULL PRIMARY KEY, email varchar(190), made_by int);
CREATE TABLE logins (id int NOT NULL PRIMARY KEY, partner_id int NOT NULL,
  CONSTRAINT logins_partner FOREIGN KEY (partner_id) REFERENCES partners (id));
CREATE TABLE bills (id int NOT NULL PRIMARY KEY, partner_id int,
  CONSTRAINT bills_partner FOREIGN KEY (partner_id) REFERENCES partners (id))`;

const ENTRIES = table('entries', via('authors', { author_id: 'id' }));
const LETTERS = table('letters', {
  via: [
    { parent: 'authors', columns: { writer_id: 'id' } },
    { parent: 'authors', columns: { reader_id: 'id' } },
  ],
  shared: 'erase',
});
const AUTHORS = table('authors');
const column = (name: string) => {
  const [of = '', own = ''] = name.split('.');
  return { table: of, column: own };
};

await onEachDatabase(
  'the check of rows that refer to what goes',
  (connector) =>
    connector === 'sqlite'
      ? TABLES.replace('made_by int)', 'made_by int REFERENCES logins (id) ON DELETE SET NULL)')
      : `${TABLES};
ALTER TABLE partners ADD CONSTRAINT partners_maker FOREIGN KEY (made_by) REFERENCES logins (id) ON DELETE SET NULL`,
  ({ check }) => {
    const of = async (work: TablesWork, subject: string) =>
      written(await check({ work }), 'note', 'warning', 'problem').filter(
        (line) => line.includes(` ${subject}: `) && !/no index|superuser|every request/.test(line),
      );

    it('lists with them what deleting sets to NULL in tables that the plan does not name', async () => {
      const lines = await of(tables([ENTRIES, LETTERS, AUTHORS, table('logins')]), 'detach');
      const lists = lines.map((line) => /detach: \[(.*?)\]/.exec(line)?.[1]?.split(', '));
      expect(lists).toEqual([
        expect.arrayContaining(['partners.made_by', 'badges.given_by']),
        expect.arrayContaining(['partners.made_by', 'badges.given_by']),
      ]);
    });

    it('lists all columns at once, in one line to copy', async () => {
      const detach = [column('authors.mentor_id')];
      const [line, ...more] = await of(tables([ENTRIES, LETTERS, AUTHORS], { detach }), 'detach');
      expect(more).toEqual([]);
      expect(line).toMatch(/^warning detach: rows that are not the person's may refer/);
      const [, list = ''] = /write all of them: detach: \[(.*?)\]/.exec(line ?? '') ?? [];
      expect(list.split(', ').toSorted()).toEqual([
        'authors.mentor_id',
        'badges.given_by',
        'entries.answers_id',
        'entries.last_editor_id',
      ]);
      const all = tables([ENTRIES, LETTERS, AUTHORS], { detach: list.split(', ').map(column) });
      expect(await of(all, 'detach')).toEqual([]);
      expect(await of(all, 'entries')).toEqual([]);
    });

    it('says what to write if a reference cannot become NULL', async () => {
      const written = table('letters', via('authors', { writer_id: 'id' }));
      expect(await of(tables([ENTRIES, written, AUTHORS]), 'letters')).toEqual([
        expect.stringMatching(
          /^warning letters: .* by reader_id .*cannot become NULL.*add to its "via": \{ authors: \{ reader_id: id \} \}, or overwrite authors/,
        ),
      ]);
    });

    it('treats entries that cover all rows together as one', async () => {
      const entries = [[1, 2], { not: [1, 2] }].map((values) =>
        table('letters', {
          ...via('authors', { writer_id: 'id', reader_id: 'id' }),
          where: { id: values as number[] },
          via: LETTERS.via,
          shared: 'erase',
        }),
      );
      const lines = await of(tables([...entries, AUTHORS]), 'letters');
      expect(lines.filter((line) => line.includes('cannot become NULL'))).toEqual([]);
      const [first] = entries;
      if (first === undefined) throw new Error('there is none');
      expect(await of(tables([first, AUTHORS]), 'letters')).toEqual(
        expect.arrayContaining([expect.stringContaining('cannot become NULL')]),
      );
    });

    it('does not speak of parents that are overwritten', async () => {
      const partners = table('partners', {
        action: { kind: 'overwrite', columns: { email: { kind: 'null' } } },
      });
      const logins = table('logins', via('partners', { partner_id: 'id' }));
      const lines = written(await check({ work: tables([partners, logins]) }), 'warning');
      expect(lines.filter((line) => line.includes('bills'))).toEqual([]);
    });

    it('lets a column be detached in other people’s rows that is overwritten in the person’s own', async () => {
      const overwritten = (name: string) =>
        table(name, {
          ...via('authors', { author_id: 'id' }),
          action: { kind: 'overwrite', columns: { last_editor_id: { kind: 'null' } } },
        });
      const detach = ['entries.last_editor_id', 'plain.last_editor_id'].map(column);
      const work = tables([overwritten('entries'), overwritten('plain'), AUTHORS], { detach });
      const lines = [...(await of(work, 'entries')), ...(await of(work, 'plain'))];
      expect(lines.filter((line) => line.includes('detach'))).toEqual([
        expect.stringMatching(
          /^note plain: .*is no foreign key.*other people's rows keep it; .*"Hand-written SQL"/,
        ),
      ]);
    });

    it('says that "cascades" allows nothing for a table that rows are deleted from', async () => {
      const lines = await of(tables([ENTRIES, AUTHORS], { cascades: ['entries'] }), 'entries');
      expect(lines).toContainEqual(
        expect.stringMatching(/^note entries: is listed under "cascades", which has no effect/),
      );
    });
  },
);
