import type { Example } from '../example.ts';

const erased = { name: 'erased', email: 'erased@example.invalid' };
const booking = { userId: 1, title: 'erased', description: null, paid: false, cancelledBy: null };
const copy = { title: 'erased', description: null, userEmail: 'bob@acme.example' };

export const calcom: Example = {
  folder: 'calcom',
  heading: '13. Cal.com',
  database: 'PostgreSQL',
  controller: 'calcom',
  identities: [['email', 'jane@example.com']],
  traces: ['jane of acme', '15550002', 'i have a question'],
  left: {
    Booking: [
      {
        ...booking,
        id: 11,
        uid: 'u11',
        eventTypeId: 101,
        paid: true,
        responses: { ...erased, guests: ['erased@example.invalid'], location: 'zoom' },
      },
      { ...booking, id: 12, uid: 'u12', eventTypeId: 102, responses: erased },
      {
        ...booking,
        id: 13,
        uid: 'u13',
        eventTypeId: 101,
        responses: { ...erased, guests: ['erased@example.invalid'] },
      },
      {
        ...booking,
        id: 14,
        uid: 'u14',
        eventTypeId: 101,
        title: 'Demo between Bob and Tim',
        responses: { name: 'Tim', email: 'tim@example.com' },
      },
    ],
    Attendee: [
      { id: 12, email: 'joe@example.com', name: 'Joe', phoneNumber: null, bookingId: 11 },
      { id: 14, email: 'zoe@example.com', name: 'Zoe', phoneNumber: null, bookingId: 13 },
    ],
    BookingSeat: [{ id: 12, bookingId: 11, attendeeId: 12, data: null }],
    BookingDenormalized: [
      ...[11, 12, 13].map((id) => ({ ...copy, id })),
      { ...copy, id: 14, title: 'Demo between Bob and Tim' },
    ],
  },
};
