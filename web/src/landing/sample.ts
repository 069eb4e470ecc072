// The first lines of docs/examples/the-lantern-keeper.epub, spoken by the voice Heart at speed 0.95, and when each word begins. To make it
// anew: synthesize the text with `timestamps: "word"`.
import url from './lantern-keeper.mp3?url';

export const sample = {
  url,
  title: 'The Lantern Keeper',
  voice: 'Heart',
  text: 'Every evening, a little before the light went out of the water, Ines climbed the hundred and twelve steps to the lamp.\n\nShe counted them under her breath, because her grandmother had counted them, and because the wind on the stairs was easier to bear with a number in one’s mouth.',
  startsMs: [25, 386, 1391, 1474, 1724, 2036, 2149, 2449, 2611, 2736, 2811, 2899, 3686, 4036, 4436, 4524, 4936, 5074, 5399, 5774, 5861, 5949, 7098, 7235, 7648, 7848, 8073, 8223, 9183, 9485, 9623, 10273, 10510, 10928, 11638, 11710, 12073, 12210, 12560, 12660, 12748, 13198, 13430, 13848, 13973, 14298, 14435, 14523, 14873, 15023, 15323],
};
