// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/builtin_text.h"

namespace tfm::data {

std::string_view builtinText() {
  return R"(the sun is up. the sky is blue. the bird is in the tree.
the bird sings a song. the cat hears the song.
the cat sits by the tree. the cat looks up at the bird.
the bird looks down at the cat. the bird does not come down.
so the cat waits, and the bird sings, and the sun goes on.

one little duck went out to swim,
the water was cold and the light was dim.
two little ducks came in at the gate,
they looked at the clock, and the clock said eight.
three little ducks sat down in a row,
they had no plan and nowhere to go.
four little ducks lay down on the bed,
good night, good night, the first one said.

the old man has a boat. the boat is small and red.
in the morning he puts the boat on the water.
he rows the boat to the island and back.
the wind is soft and the water is still.
on the island there is a tree, and in the tree there is a nest.
the old man looks at the nest. there are three eggs in it.
the next day he rows to the island. there are three birds in the nest.
the next week he rows to the island. the nest is empty.
the old man smiles. the birds have gone to see the world.

if it rains, we stay inside. if it snows, we go out.
if it is warm, we eat in the garden. if it is cold, we make a fire.
when the fire is warm, the dog comes in.
when the dog comes in, the cat goes out.
when the cat goes out, the mice come in.
and when the mice come in, we hear them in the kitchen.

round and round and round we go,
up the hill and down in the snow.
round and round and round again,
through the sun and through the rain.
round and round until we stop,
some at the bottom and some at the top.

anna has a red ball. ben has a blue ball.
anna gives the red ball to ben. now ben has two balls.
ben gives the blue ball to anna. now anna has the blue ball.
ben has the red ball. they are both happy.
clara has no ball. anna looks at ben, and ben looks at anna.
they give both balls to clara. now clara has two balls.
clara throws one to anna and one to ben. now they all play.

the baker bakes the bread. the bread is in the oven.
the oven is hot. the bread is brown. the baker takes it out.
the farmer brings the milk. the milk is in the can.
the can is full. the milk is white. the farmer pours it out.
the bread is for the morning, and the milk is for the night.
the baker thanks the farmer, and the farmer takes a bite.

on monday the fox comes to the house and finds the door is shut.
on tuesday the fox comes to the house and finds the window shut.
on wednesday the fox comes to the house and sits down by the wall.
on thursday the fox comes to the house and hears nothing at all.
on friday the fox comes to the house and somebody opens the door.
on saturday the fox stays in the house and sleeps on the kitchen floor.
on sunday the fox is part of the house, and does not come any more.

a big fish and a small fish swim in the lake.
the big fish is slow. the small fish is quick.
the big fish says, where do you go so fast.
the small fish says, i go to the other side of the lake.
the big fish says, what is on the other side.
the small fish says, i do not know. that is why i go.
the big fish thinks about this for a long time.
then the big fish swims to the other side, and the small fish is there.
what is on this side, says the big fish.
the same water, says the small fish, but now we know.

the night is dark and the moon is white,
the owl is awake for the whole of the night.
the day is bright and the sun is warm,
the owl is asleep in the roof of the barn.
the mouse in the field is awake in the day,
and so is the hen, and they sing and they play.
the owl and the mouse have never yet met,
and the mouse in the field has no wish to as yet.

we plant a seed in the ground. we give it water every day.
one day there is a leaf. the leaf is small and green.
the next day there are two leaves. the next week there are ten.
in the spring there is a flower. in the summer there is a fruit.
we eat the fruit and keep the seed. we plant the seed in the ground.

this is the road that goes to the town.
this is the hill that the road goes down.
this is the cart that stands on the hill
that the road goes down, and the cart stands still.
this is the horse that pulls the cart
that stands on the hill and will not start.
this is the boy with a bright red apple
who calls to the horse from the door of the chapel.
and this is the horse that runs to the town,
with the cart behind it, all the way down.

the teacher asks, how many legs has a dog. four, says the class.
the teacher asks, how many legs has a bird. two, says the class.
the teacher asks, how many legs has a fish. none, says the class.
the teacher asks, how many legs has a table. four, says the class.
then a table is a dog, says one boy, and the whole class laughs.
no, says the teacher, for a table does not run after a cat.

rain on the roof and rain on the tree,
rain on the river that runs to the sea.
wind in the grass and wind in the sail,
wind in the coat of the man with the mail.
snow on the barn and snow on the wall,
snow on the boots that we left in the hall.
sun on the path and sun on the stone,
sun on the face of the dog with the bone.

the dog jumps up and the bee buzzes by,
a puzzled cow looks up at the sky.
the cow jumps too, and the bee thinks it odd,
and the three of them lie in the grass and they nod.
)";
}

}  // namespace tfm::data
