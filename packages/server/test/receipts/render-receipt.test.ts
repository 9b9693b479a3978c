import { describe, expect, it } from 'vitest';
import type { TableEvidence, Tables } from '../../src/domain/task/task.ts';
import { renderReceipt } from '../../src/receipts/render-receipt.ts';
import { evidence, makeFacts, makeSigned, makeSigner } from './facts.ts';

const signer = makeSigner();
const EVIL = "<script>alert(\"&'1')</script>";

function render(...changes: Parameters<typeof evidence>) {
  return renderReceipt(makeSigned(makeFacts([evidence(...changes)]), signer));
}

describe('the printable receipt', () => {
  it('escapes all texts of people and configurations', () => {
    const page = render({
      action: 'retained',
      tables: { [EVIL]: { action: 'retain', rows: 1, reason: EVIL } },
      by: EVIL,
      note: EVIL,
      legal_basis: EVIL,
    });
    expect(page).not.toContain('<script');
    expect(page).toContain('&lt;script&gt;alert(&quot;&amp;&#39;1&#39;)&lt;/script&gt;');
  });

  it('shows characters that change the writing direction, or are invisible, as escapes', () => {
    const page = render({ note: 'paid \u202efdp.exe \u2066x \u001b[2J \u0085 a\u200bb\nnext' });
    expect(page).toContain('paid \\u202efdp.exe \\u2066x \\u001b[2J \\u0085 a\\u200bb next');
    expect(page).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\u001b\u0085]/);
  });

  it('loads nothing from elsewhere', () => {
    const page = render();
    expect(page).not.toMatch(/<script|<link|<img|src=|href=|url\(|@import/i);
    expect(page).toMatch(/^<!doctype html>/);
  });

  it('says first what was retained', () => {
    const page = render({ tables: { invoices: { action: 'retain', rows: 4, reason: 'tax law' } } });
    expect(page.indexOf('tax law')).toBeLessThan(page.indexOf('Target by target'));
    expect(render()).toContain('Nothing was retained.');
  });

  it('says what became of rows that were not erased', () => {
    const page = render({
      tables: {
        orders: { action: 'delete', rows: 1, already_gone: 2 },
        chats: { action: 'delete', rows: 0, shared_kept: 4 },
      },
    });
    expect(page).toMatch(/orders.*already gone.*2.*it was gone before this task came to it/s);
    expect(page.indexOf('shared with somebody else')).toBeLessThan(
      page.indexOf('Target by target'),
    );
    expect(page).not.toContain('Nothing was retained.');
  });

  it('does not say that all was kept where attempts before the decision erased rows, or may have', () => {
    const decided = { action: 'retained', note: 'a claim', legal_basis: 'GDPR 17(3)(e)' } as const;
    const kept = (tables: Tables) => {
      const page = render({ ...decided, tables });
      return page.slice(0, page.indexOf('In all'));
    };
    expect(kept({})).toContain('<td>all</td>');
    for (const tables of [{ rows: 2 }, { rows: 0, unconfirmed: 3 }]) {
      const page = kept({ orders: { action: 'erase', ...tables } });
      expect(page).toContain('<td>all that was left</td>');
      expect(page).not.toContain('<td>all</td>');
    }
  });

  it('says who decided that rows stay: the configuration, the target itself, or an operator', () => {
    const decidedOn = (connector: string, kept: Partial<TableEvidence>) => {
      const page = render({
        connector,
        tables: { files: { action: 'erase', rows: 1, ...kept } },
      });
      return page.slice(0, page.indexOf('In all'));
    };
    expect(decidedOn('postgres', { shared_kept: 1 })).toContain('<td>the configuration</td>');
    for (const connector of ['http', 'module']) {
      expect(decidedOn(connector, { retained: 1 })).toContain('<td>the system</td>');
    }
    for (const connector of ['http', 'postgres']) {
      expect(decidedOn(connector, { unproven: 1 })).toContain('<td>a person</td>');
    }
  });

  it('says in all what became of rows, also of those that lost a reference', () => {
    const page = render({
      tables: {
        comments: { action: 'delete', rows: 2, detached: 3 },
        notes: { action: 'cascade', rows: 1 },
        chats: { action: 'delete', rows: 0, shared_kept: 4, already_gone: 5 },
      },
    });
    expect(page).toContain(
      'Rows: 2 deleted, 1 removed by cascade, 3 detached, 4 shared and kept, 5 already gone.',
    );
    expect(page).toMatch(/comments.*detached.*3.*its reference to a deleted row became NULL/s);
  });

  it('names tables that were not asked, and findings that were accepted', () => {
    const page = render({
      skipped_tables: ['tickets'],
      accepted: { 'history:customers': 'dropped <every> night' },
    });
    expect(page).toMatch(/Not asked, as the request has no identity for it: tickets/);
    expect(page).toContain('Accepted by the operator: history:customers');
    expect(page).toContain('dropped &lt;every&gt; night');
  });

  it('names the hand-written statement that verified', () => {
    expect(render({ verified_by: 'sql.verify' })).toContain(
      'Erased; searched again: nothing left (sql.verify)',
    );
  });

  it('says in words that nothing was found, and how to verify', () => {
    const page = render({ action: 'not_found', tables: {} });
    expect(page).toContain('Nothing of this person was found');
    expect(page).toContain(signer.keyId);
    expect(page).toContain('unwrite receipt verify');
  });
});
