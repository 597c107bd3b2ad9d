/** The pictures that a passport can have. */
import airplane from 'icon:airplane';
import bicycle from 'icon:bicycle';
import camera from 'icon:camera';
import camping from 'icon:camping';
import cat from 'icon:cat-face';
import compass from 'icon:compass';
import flamingo from 'icon:flamingo';
import fox from 'icon:fox';
import frog from 'icon:frog';
import hedgehog from 'icon:hedgehog';
import koala from 'icon:koala';
import locomotive from 'icon:locomotive';
import luggage from 'icon:luggage';
import octopus from 'icon:octopus';
import owl from 'icon:owl';
import panda from 'icon:panda';
import parrot from 'icon:parrot';
import penguin from 'icon:penguin';
import sailboat from 'icon:sailboat';
import turtle from 'icon:turtle';
import type { Picture } from './protocol';

type Drawing = typeof compass;

export const pictures: Record<Picture, Drawing> = {
  compass,
  luggage,
  locomotive,
  sailboat,
  airplane,
  bicycle,
  camping,
  camera,
  fox,
  owl,
  'cat-face': cat,
  panda,
  penguin,
  koala,
  frog,
  octopus,
  parrot,
  turtle,
  hedgehog,
  flamingo,
};
