/**
 * What all readers of foreign files share: the {@link
 * io.github.liquidscheduler.formats.InputFormatException}.
 */
@NullMarked
package io.github.liquidscheduler.formats;

import org.jspecify.annotations.NullMarked;
