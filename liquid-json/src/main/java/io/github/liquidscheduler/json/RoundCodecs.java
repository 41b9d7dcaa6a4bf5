package io.github.liquidscheduler.json;

import io.github.liquidscheduler.rounds.RoundDecision;
import io.github.liquidscheduler.rounds.RoundEvent;

/**
 * The codecs of {@code liquid-rounds}, which has to be on the class path; the codecs of {@link
 * JsonCodecs} need nothing of it. States of a scheduler of rounds are written by {@link
 * JsonCodecs#SNAPSHOT}.
 */
@SuppressWarnings("exports") // who reads rounds requires their module; others need not have it
public final class RoundCodecs {

  /** Events of jobs of rounds. */
  public static final JsonCodec<RoundEvent> EVENT = new JsonCodec<>(Form.of(RoundEvent.class));

  /** Decisions about jobs of rounds. */
  public static final JsonCodec<RoundDecision> DECISION =
      new JsonCodec<>(Form.of(RoundDecision.class));

  private RoundCodecs() {}
}
